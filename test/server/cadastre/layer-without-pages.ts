import {createServer} from "node:http";
import type {AddressInfo} from "node:net";
import {brazos} from "./county-fixture.ts";

/** A layer with one parcel that refuses each query which says how many rows to send, whether or not its metadata warn of it. */
export async function layerWithoutPages(says: boolean | undefined) {
  const queries: URLSearchParams[] = [];
  const fields = ["OBJECTID", "APN", "SITUS"].map((name) => ({
    name,
    type: name === "OBJECTID" ? "esriFieldTypeOID" : "esriFieldTypeString",
  }));
  const {lon, lat} = brazos;
  const ring = [
    ...[
      [lon, lat],
      [lon, lat + 0.0005],
      [lon + 0.0005, lat + 0.0005],
      [lon + 0.0005, lat],
      [lon, lat],
    ],
  ];
  const about = {
    ...{
      name: "Parcels",
      type: "Feature Layer",
      geometryType: "esriGeometryPolygon",
      maxRecordCount: 1000,
      fields,
    },
    ...{objectIdField: "OBJECTID", extent: {spatialReference: {wkid: 4326}}},
    ...(says === undefined ? {} : {advancedQueryCapabilities: {supportsPagination: says}}),
  };
  const refusal = {
    error: {code: 400, message: "Failed to execute query.", details: ["Pagination is not supported."]},
  };
  const rows = {
    ...{objectIdFieldName: "OBJECTID", geometryType: "esriGeometryPolygon", spatialReference: {wkid: 4326}},
    features: [
      {attributes: {OBJECTID: 1, APN: "R-100-1", SITUS: "101 OAKVALE RD"}, geometry: {rings: [ring]}},
    ],
    fields,
  };
  const server = createServer(async (request, reply) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const isQuery = request.url!.includes("/query");
    if (isQuery) queries.push(form);
    const body = !isQuery ? about : form.has("resultRecordCount") ? refusal : rows;
    reply.writeHead(200, {"content-type": "application/json"}).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/s/FeatureServer/0`;
  return {url, queries, close: () => server.close()};
}
