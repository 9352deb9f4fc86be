import {defineConfig} from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/set-up.ts"],
    // Modules are loaded once for all files of a worker: that is a tenth of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: "forks",
  },
});
