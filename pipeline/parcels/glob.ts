/** Says whether a path with forward slashes fits a glob: `*` and `?` stay within a folder, `**` does not, `{a,b}` is either. */
export function fitsGlob(path: string, glob: string): boolean {
  return new RegExp(`^${source(glob)}$`, "i").test(path);
}

function source(glob: string): string {
  return glob.replace(/\*\*\/?|[*?{},]|[^*?{},]+/g, (piece) => {
    if (piece.startsWith("**")) return ".*";
    const special: Record<string, string> = {"*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")", ",": "|"};
    return special[piece] ?? piece.replace(/[\\^$.|()[\]+]/g, "\\$&");
  });
}
