import {readFileSync} from "node:fs";
import express from "express";
import {announce} from "./child.ts";

/** Plain Express: `constant-server.ts FILE` answers every GET with the object in the file, with `res.json`. */
const body: unknown = JSON.parse(readFileSync(process.argv[2]!, "utf8"));
const app = express();
app.get(/.*/, (_request, response) => {
  response.json(body);
});
announce(app);
