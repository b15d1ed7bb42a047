const tables = new Map<string, Map<string, readonly number[]>>()

/** Encodes a text in a charset of one or two bytes, by asking the decoder what each of them means. */
export function encode(text: string, charset: string): Buffer {
  const table = tables.get(charset) ?? tableOf(charset)
  tables.set(charset, table)
  return Buffer.from(
    [...text].flatMap(letter => {
      const bytes = table.get(letter)
      if (!bytes) throw new Error(`${charset} has no ${letter}`)
      return bytes
    }),
  )
}

/** A text in UTF-16, with a byte order mark or without. */
export function utf16(text: string, { isBigEndian = false, hasMark = true } = {}): Buffer {
  const bytes = Buffer.from(hasMark ? `\uFEFF${text}` : text, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

function tableOf(charset: string) {
  const decoder = new TextDecoder(charset)
  const table = new Map<string, readonly number[]>()
  const add = (...bytes: number[]) => {
    const letter = decoder.decode(new Uint8Array(bytes))
    if ([...letter].length === 1 && letter !== '\uFFFD' && !table.has(letter)) table.set(letter, bytes)
  }
  for (let byte = 0; byte < 256; byte++) add(byte)
  for (let first = 0x81; first < 255; first++) for (let second = 0x40; second < 255; second++) add(first, second)
  return table
}
