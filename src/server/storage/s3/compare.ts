import type { FileHandle } from 'node:fs/promises'
import type { BucketClient } from './client'
import { factsOf, readObject } from './objects'

/** Compares an object with a file: by size and ETag, and byte for byte where the service computes other ETags. */
export async function holds(
  client: BucketClient,
  path: string,
  { file, size, digest }: { file: FileHandle; size: number; digest: string },
): Promise<boolean> {
  const facts = await factsOf(client, path)
  if (facts?.size !== size) return false
  return facts.etag === `"${digest}"` || holdsBytesOf(client, path, file, size)
}

/** Compares an object with a file, byte for byte. */
async function holdsBytesOf(client: BucketClient, path: string, file: FileHandle, size: number): Promise<boolean> {
  let at = 0
  for await (const chunk of readObject(client, path)) {
    const own = Buffer.alloc(chunk.byteLength)
    const { bytesRead } = await file.read(own, 0, own.length, at)
    if (bytesRead !== chunk.byteLength || !own.equals(chunk)) return false
    at += bytesRead
  }
  return at === size
}
