import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {join} from "node:path";

/** A server's key and certificate, and the file of the authority that signed it. */
export type Certificate = {readonly key: Buffer; readonly cert: Buffer; readonly authority: string};

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** Makes an authority of that name in a folder, and a certificate for hosts that it signs. */
export function makeCertificate(folder: string, name: string, names: readonly string[]): Certificate {
  const at = (ending: string) => join(folder, `${name}${ending}`);
  const openssl = (...words: string[]) => execFileSync("openssl", words, {stdio: "ignore"});
  const authority = at("-ca.pem");
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-days",
    "2",
    "-subj",
    `/CN=${name}`,
    "-keyout",
    at("-ca.key"),
    "-out",
    authority,
  );
  const hosts = `subjectAltName=${names.map((each) => `DNS:${each}`).join(",")}`;
  openssl(
    "req",
    ...newKey,
    "-subj",
    "/CN=servers",
    "-addext",
    hosts,
    "-keyout",
    at(".key"),
    "-out",
    at(".csr"),
  );
  const signer = [
    "-CA",
    authority,
    "-CAkey",
    at("-ca.key"),
    "-CAcreateserial",
    "-days",
    "2",
    "-copy_extensions",
    "copy",
  ];
  openssl("x509", "-req", "-in", at(".csr"), ...signer, "-out", at(".pem"));
  return {key: readFileSync(at(".key")), cert: readFileSync(at(".pem")), authority};
}
