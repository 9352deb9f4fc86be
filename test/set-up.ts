import {afterAll} from "vitest";
import {removeTemporaryFolders} from "./temporary-folder.ts";

// Test files share modules, so a hook inside a module would run only for the first of them.
afterAll(removeTemporaryFolders);
