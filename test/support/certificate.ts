import { spyOn } from 'bun:test'

/** Lets calls of this process trust the certificate below. */
export function trustCertificate() {
  const real = globalThis.fetch
  return spyOn(globalThis, 'fetch').mockImplementation(((target: URL, init: BunFetchRequestInit) =>
    real(target, { ...init, tls: { ...init.tls, ca: certificate } })) as never)
}

/** A certificate for `pod.example` that signs itself, valid until 2120, and its key. They protect nothing. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtwb2QuZXhh
bXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
AwwLcG9kLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS7S1BNWZRR
ZOZS9SPVgty5PTBghFCOevrCPcSHw5xuuTvBZf9rENojG8BtYao00NETtho0xWq4
Z3NnwhgP/pxeo0owSDAWBgNVHREEDzANggtwb2QuZXhhbXBsZTAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBT98/ytVh3R6MPr0R3dXnJmJME5ZTAKBggqhkjOPQQD
AgNIADBFAiEAuk4BmFFz2gM4bdN/uLnU+CWBRFPIdWL3yEJHhG2JuusCIBam+pEj
rncPvCpp7ZEN3vIOy13zWXT18gdkNpryo187
-----END CERTIFICATE-----
`

export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCo68POlrY8gYQ5lI
nNlEGBhxYW5mbiifrOV8Pr3q09GhRANCAAS7S1BNWZRRZOZS9SPVgty5PTBghFCO
evrCPcSHw5xuuTvBZf9rENojG8BtYao00NETtho0xWq4Z3NnwhgP/pxe
-----END PRIVATE KEY-----
`
