/** The plain files of a tar by their paths. */
export async function untar(archive: Uint8Array): Promise<Map<string, Buffer>> {
  const files = await new Bun.Archive(archive).files()
  const read = [...files].map(async ([path, file]) => [path, Buffer.from(await file.bytes())] as const)
  return new Map(await Promise.all(read))
}
