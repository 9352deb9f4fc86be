import {generateKeyPairSync, sign} from "node:crypto";

const sequence = 0x30;
const ecdsaWithSha256 = der(sequence, der(0x06, Buffer.from("2a8648ce3d040302", "hex")));

/** A self-signed certificate of `localhost` that was valid in 2020 only (RFC 5280, in DER), and its key. */
export function expiredCertificate(): {key: string; cert: string} {
  const {privateKey, publicKey} = generateKeyPairSync("ec", {namedCurve: "P-256"});
  const commonName = der(0x06, Buffer.from("550403", "hex"));
  const name = der(sequence, der(0x31, der(sequence, commonName, der(0x0c, Buffer.from("localhost")))));
  const facts = der(
    sequence,
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    der(sequence, der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("200201000000Z"))),
    name,
    publicKey.export({type: "spki", format: "der"}),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", facts, privateKey));
  const text = der(sequence, facts, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({type: "pkcs8", format: "pem"}).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** A DER element: tag, length, contents. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const {length} = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
