import {readFileSync} from "node:fs";
import express from "express";
import {announce} from "./child.ts";

/** Express with nothing to do: `constant-server.ts FILE` answers every GET with the object in the file, by `res.json`. */
const body: unknown = JSON.parse(readFileSync(process.argv[2]!, "utf8"));
const app = express();
app.get(/.*/, (_request, response) => {
  response.json(body);
});
announce(app);
