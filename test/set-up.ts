import {afterAll} from "vitest";
import {removeTemporaryFolders} from "./temporary-folder.ts";

// Test files share their modules: a hook of a module would be set for the first of them alone.
afterAll(removeTemporaryFolders);
