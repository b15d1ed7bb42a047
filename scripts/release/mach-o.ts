// https://github.com/apple-oss-distributions/xnu/blob/main/osfmk/kern/cs_blobs.h
const SEGMENT = 0x19
const CODE_SIGNATURE = 0x1d
const SUPER_BLOB = 0xfade0cc0
const CODE_DIRECTORY = 0xfade0c02
const HEADER = 20
const DIRECTORY = 88
const PAGE = 4096
const HASH = 32
const identifier = 'castellan\0'

/**
 * Signs an executable for macOS with nobody's name (ad hoc), in place of the signature that it has. Bun does so for
 * Apple silicon only: on Intel it leaves the signature of its own runtime, which the code added since makes invalid.
 */
export function signAdHoc(executable: Uint8Array): Buffer {
  const { signature, text, linkEdit } = loadCommandsOf(Buffer.from(executable))
  const codeEnd = Buffer.from(executable).readUInt32LE(signature + 8)
  const code = Buffer.from(executable.subarray(0, codeEnd))
  const slots = Math.ceil(codeEnd / PAGE)
  const length = DIRECTORY + identifier.length + slots * HASH
  const size = Math.ceil((HEADER + length) / 16) * 16

  code.writeUInt32LE(size, signature + 12)
  const linkEditSize = codeEnd + size - Number(code.readBigUInt64LE(linkEdit + 40))
  code.writeBigUInt64LE(BigInt(Math.ceil(linkEditSize / PAGE) * PAGE), linkEdit + 32)
  code.writeBigUInt64LE(BigInt(linkEditSize), linkEdit + 48)

  const blob = Buffer.alloc(size)
  // One blob: the directory of the code, which follows this header.
  writeWords(blob, 0, [SUPER_BLOB, HEADER + length, 1, 0, HEADER])
  const adHocByLinker = 0x20002
  const hashes = DIRECTORY + identifier.length
  writeWords(blob, HEADER, [CODE_DIRECTORY, length, 0x20400, adHocByLinker, hashes, DIRECTORY, 0, slots, codeEnd])
  const sha256 = 2
  blob.set([HASH, sha256, 0, Math.log2(PAGE)], HEADER + 36)
  blob.writeBigUInt64BE(code.readBigUInt64LE(text + 48), HEADER + 72)
  const mainBinary = 1n
  blob.writeBigUInt64BE(mainBinary, HEADER + 80)
  blob.write(identifier, HEADER + DIRECTORY)
  for (let slot = 0; slot < slots; slot++) digestOf(code, slot).copy(blob, HEADER + hashes + slot * HASH)
  return Buffer.concat([code, blob])
}

/** Tells whether the signature covers all code and every page of it is as it was signed. */
export function isSigned(executable: Uint8Array): boolean {
  const bytes = Buffer.from(executable.buffer, executable.byteOffset, executable.byteLength)
  const start = bytes.readUInt32LE(loadCommandsOf(bytes).signature + 8)
  const directory = start + bytes.readUInt32BE(start + 16)
  const [hashes, slots, codeEnd] = [16, 28, 32].map(at => bytes.readUInt32BE(directory + at)) as [
    number,
    number,
    number,
  ]
  if (codeEnd !== start || slots !== Math.ceil(codeEnd / PAGE)) return false
  const code = bytes.subarray(0, codeEnd)
  const signed = (slot: number) =>
    bytes.subarray(directory + hashes + slot * HASH, directory + hashes + (slot + 1) * HASH)
  return Array.from({ length: slots }, (_, slot) => slot).every(slot => digestOf(code, slot).equals(signed(slot)))
}

function loadCommandsOf(bytes: Buffer) {
  const found = { signature: 0, text: 0, linkEdit: 0 }
  for (let at = 32, left = bytes.readUInt32LE(16); left > 0; left--) {
    const command = bytes.readUInt32LE(at)
    const name = command === SEGMENT ? bytes.toString('latin1', at + 8, at + 24).split('\0', 1)[0] : ''
    if (command === CODE_SIGNATURE) found.signature = at
    if (name === '__TEXT') found.text = at
    if (name === '__LINKEDIT') found.linkEdit = at
    at += bytes.readUInt32LE(at + 4)
  }
  if (!found.signature || !found.text || !found.linkEdit) throw new Error('Expected a signed executable for macOS')
  return found
}

const digestOf = (code: Buffer, slot: number) =>
  new Bun.CryptoHasher('sha256').update(code.subarray(slot * PAGE, (slot + 1) * PAGE)).digest()

const writeWords = (to: Buffer, at: number, words: readonly number[]) =>
  words.forEach((word, index) => to.writeUInt32BE(word, at + 4 * index))
