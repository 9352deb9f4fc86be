import {FetchError, shownAddress} from "../client/fetch-error.ts";
import {askBytes} from "./document.ts";
import type {Job} from "./job.ts";

/** An edition of a report in the publisher's archive; its name begins with the report's number. */
export type Edition = {readonly url: string; readonly date: string; readonly name: string};

/** Pages of one report's archive, newest first; a weekly report fills one in some months. */
const maxPages = 40;

/**
 * Returns the editions of a report since a day, oldest first, from the archive's pages of links. Rejects with a `FetchError` for a page that
 * is no list.
 */
export async function editionsSince(
  job: Job,
  {address, slug, since}: {address: string; slug: string; since: string},
): Promise<Edition[]> {
  const editions = new Map<string, Edition>();
  let url: string | null = address.replace("{slug}", slug);
  for (let page = 0; url !== null && page < maxPages; page++) {
    const html = await askPageOfLinks(job, url);
    const pageEditions = editionsIn(html, url, slug);
    for (const edition of pageEditions) editions.set(edition.url, edition);
    const isPast = pageEditions.length === 0 || pageEditions.some(({date}) => date < since);
    url = isPast ? null : nextPage(html, url);
  }
  return [...editions.values()].filter(({date}) => date >= since).sort((a, b) => (a.date < b.date ? -1 : 1));
}

async function askPageOfLinks(job: Job, url: string): Promise<string> {
  const {bytes} = await askBytes(job, {url}, (text) => {
    if (!/<(table|a)\b/i.test(text))
      throw new FetchError("refused", `${shownAddress(new URL(url))}: expected a page of editions`);
  });
  return bytes?.toString("utf8") ?? "";
}

function editionsIn(html: string, page: string, slug: string): Edition[] {
  return linksIn(html, page).flatMap(({href}) => editionAt(href, slug) ?? []);
}

/** The edition of a report at an address `…/files/<slug>/<day of the report>/<number>/<file>`; null for any other link. */
function editionAt(url: string, slug: string): Edition | null {
  const parts = new URL(url).pathname.split("/");
  const at = parts.findIndex((part, i) => part === "files" && /^\d{4}-\d{2}-\d{2}$/.test(parts[i + 2] ?? ""));
  const [, of, date] = at < 0 ? [] : parts.slice(at);
  const [, stem] = /^(.{1,150})\.[A-Za-z]{2,5}$/.exec(decoded(parts.at(-1)!) ?? "") ?? [];
  if (of !== slug || date === undefined || stem === undefined || parts.length < at + 4) return null;
  const file = stem.replaceAll(/[^A-Za-z0-9_-]/g, "-");
  const name = file.toLowerCase().startsWith(`ams_${slug}_`) ? file.toLowerCase() : `ams_${slug}_${file}`;
  return {url, date, name};
}

/** A part of an address without its escapes; null where they are no UTF-8. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The page after this one: the link that says so, or whose number is one higher. */
function nextPage(html: string, url: string): string | null {
  const number = Number(new URL(url).searchParams.get("page") ?? 0);
  const links = linksIn(html, url);
  const next =
    links.find(({tag}) => /\brel=["']?next\b/i.test(tag)) ??
    links.find(({href}) => new URL(href).searchParams.get("page") === String(number + 1));
  return next === undefined || next.href === url ? null : next.href;
}

/** The links of a page, each read by itself: a tag that is never closed costs no more than its own length. */
function linksIn(html: string, page: string): {tag: string; href: string}[] {
  return [...html.matchAll(/<a\b[^<>]*>/gi)].flatMap(([tag]) => {
    const [, href = ""] = /\bhref\s*=\s*["']([^"']+)["']/i.exec(tag) ?? [];
    const url = href === "" ? null : URL.parse(href.replaceAll("&amp;", "&"), page);
    return url === null ? [] : [{tag, href: url.href}];
  });
}
