import {constants, copyFile} from "node:fs/promises";
import {basename, join, resolve} from "node:path";
import type {Command} from "commander";
import {UserError} from "../../lib/errors.ts";
import {loadMarketSources} from "../../lib/market-sources.ts";
import {loadParcelSources, parcelSourcesDir, readParcelSource} from "../../lib/parcel-sources.ts";
import {print, printJson, textTable} from "./output.ts";

/** Adds `sources ls|check|add`: the registry of where data comes from. */
export function sourcesCommands(cattle: Command): void {
  const sources = cattle.command("sources").description("the registry of sources");
  sources
    .command("ls")
    .description("all registered sources")
    .option("--json", "as JSON")
    .action(({json = false}: {json?: boolean}) => listSources(json));
  sources
    .command("check <file>")
    .description("check an entry for a parcel source, without changing anything")
    .action((file: string) => {
      const entry = readParcelSource(resolve(file));
      print(`${entry.id}: a sound entry (${entry.coverage.country} ${entry.coverage.state})`);
    });
  sources
    .command("add <file>")
    .description("check an entry and copy it into the registry; an entry of that name is never replaced")
    .action(async (file: string) => {
      const entry = readParcelSource(resolve(file));
      const target = join(parcelSourcesDir, basename(file));
      await copyFile(resolve(file), target, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") throw new UserError(`${target}: is there already.`);
        throw error;
      });
      print(`${entry.id}: added; its raw files go to parcels/${entry.id}/ of the raw folder`);
    });
}

function listSources(json: boolean): void {
  const market = loadMarketSources();
  const parcels = loadParcelSources();
  if (json) {
    printJson({market, parcels});
    return;
  }
  const rows = [
    ...market.map(({id, type, name}) => [id, "market", type, name]),
    ...parcels.map(({id, coverage, authority, name}) => [
      id,
      `${coverage.country} ${coverage.state}`,
      authority,
      name,
    ]),
  ];
  print(textTable(["id", "for", "kind", "name"], rows));
}
