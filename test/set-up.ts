import fc from "fast-check";
import {afterAll} from "vitest";
import {removeTemporaryFolders} from "./temporary-folder.ts";

// Test files share modules, so a hook inside a module would run only for the first of them.
afterAll(removeTemporaryFolders);

// The same inputs on each machine, so that a change is judged by what it changes; SEED=… draws others.
fc.configureGlobal({seed: Number(process.env["SEED"] ?? 20261127)});
