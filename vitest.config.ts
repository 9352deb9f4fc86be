import {configDefaults, defineConfig} from "vitest/config";

const all = ["test/**/*.test.ts"];

/** Suites that `make test` leaves out and `.ci/run` runs: kills, damage, mutations, whole builds, and the corpus whole. */
const longSuites = [
  "test/conformance/add-files.test.ts",
  "test/conformance/lookup-oracle.test.ts",
  "test/conformance/market-answers.test.ts",
  "test/conformance/market-mutations.test.ts",
  "test/conformance/market-pages.test.ts",
  "test/conformance/market-records.test.ts",
  "test/conformance/market-replay.test.ts",
  "test/conformance/mutations.test.ts",
  "test/conformance/parcel-entries.test.ts",
  "test/conformance/parcels.test.ts",
  "test/conformance/right-county.test.ts",
  "test/conformance/served-answers.test.ts",
  "test/crash/*.test.ts",
  "test/delta/journey.test.ts",
  "test/delta/model.test.ts",
  "test/fetch/kills.test.ts",
  "test/fetch/market.test.ts",
  "test/fuzz/*.test.ts",
  "test/pipeline/market/answers/change-status.test.ts",
  "test/pipeline/market/bad-input.test.ts",
  "test/pipeline/market/build-market.test.ts",
  "test/pipeline/market/random-records.test.ts",
  "test/pipeline/market/weekly-changes.test.ts",
  "test/pipeline/parcels/build-state.test.ts",
  "test/pipeline/parcels/dedupe.test.ts",
  "test/pipeline/parcels/readers/formats.test.ts",
  "test/pipeline/parcels/readers/memory.test.ts",
  "test/pipeline/publish/bad-input.test.ts",
  "test/pipeline/publish/build.test.ts",
  "test/pipeline/publish/crash.test.ts",
  "test/pipeline/publish/delta.test.ts",
  "test/pipeline/publish/disk-full.test.ts",
  "test/pipeline/publish/faults.test.ts",
  "test/pipeline/publish/gates.test.ts",
  "test/pipeline/sample.test.ts",
];

export default defineConfig({
  test: {
    setupFiles: ["test/set-up.ts"],
    // Modules are loaded once for all files of a worker: that is a tenth of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: "forks",
    projects: [
      {
        extends: true,
        test: {name: "short", include: all, exclude: [...configDefaults.exclude, ...longSuites]},
      },
      {
        extends: true,
        test: {name: "long", include: longSuites, testTimeout: 600_000, hookTimeout: 900_000},
      },
    ],
  },
});
