/** What a request line asks for: its path, and its query string without the question mark; empty where there is none. */
export type RequestTarget = {readonly path: string; readonly query: string};

/** A path and a query as clients write them; what else a request line may hold is left to Express to take apart. */
const plain = /^\/[^\t\n\f\r #\u00a0\ufeff]*$/;

/** A request line's target, divided as Express divides it; null for one in another form (`http://…`, `*`, with a fragment). */
export function plainTarget(url: string): RequestTarget | null {
  if (!plain.test(url)) return null;
  const mark = url.indexOf("?");
  return mark === -1 ? {path: url, query: ""} : {path: url.slice(0, mark), query: url.slice(mark + 1)};
}
