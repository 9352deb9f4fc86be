import {dirname, join} from "node:path";
import {makeOwnFolder, sharedFolder} from "@open-cattle/safe-files";
import {type Command, Option} from "commander";
import {createKey, keyState, readKeys, revokeKey} from "../../lib/keys/api-keys.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {visibleText} from "../../lib/text/visible-text.ts";
import {Scope} from "../../schemas/api-key.ts";

type CreateOptions = {label: string; scope?: string[]; notBefore?: string; notAfter?: string};

/** Adds `keys create|list|revoke`. A new key is printed to stdout once and can never be shown again; digests are never shown. */
export function keyCommands(program: Command, print: (text: string) => void): void {
  const keys = program.command("keys").description("create, list and revoke API keys");
  keys
    .command("create")
    .description("create a key and print it once")
    .option("--label <text>", "who the key is for", "")
    .addOption(
      new Option("--scope <scope...>", "what the key gives access to; everything by default").choices(
        Scope.options,
      ),
    )
    .option("--not-before <instant>", "start of validity; now by default")
    .option("--not-after <instant>", "end of validity; none by default")
    .action(async (options: CreateOptions) => {
      const {scope: scopes, ...rest} = options;
      const file = keyFile();
      makeOwnFolder(dirname(file), sharedFolder);
      const {key} = await createKey(file, scopes === undefined ? rest : {...rest, scopes});
      print(key);
    });
  keys
    .command("list")
    .description("list the keys without their digests")
    .option("--json", "as JSON")
    .action(({json = false}: {json?: boolean}) => print(listKeys(json)));
  keys
    .command("revoke <id>")
    .description("revoke a key now; servers follow within 5 seconds")
    .action(async (id: string) => print(`${(await revokeKey(keyFile(), id)).id} ended`));
}

function listKeys(json: boolean): string {
  const now = new Date();
  const shown = readKeys(keyFile()).map((record) => {
    const {sha256: _digest, ...rest} = record;
    return {...rest, state: keyState(record, now)};
  });
  if (json) return JSON.stringify(shown);
  if (shown.length === 0) return 'No key. Make one with "cattle keys create".';
  const lines = shown
    .map(({id, state, scopes, notBefore, notAfter, label}) =>
      [id, state.padEnd(7), scopes.join(","), notBefore, notAfter ?? "no end", label].join("  "),
    )
    .join("\n");
  return visibleText(lines);
}

function keyFile(): string {
  return join(readSettings().CATTLE_DATA, "keys.json");
}
