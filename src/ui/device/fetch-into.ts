const REPORT_BYTES = 500_000

/**
 * Fetches an address into a cache and returns the number of bytes. `onProgress`: the share that has arrived, 0 to 1.
 * Throws if the answer is not a success, or if there is no room.
 */
export async function fetchInto(cache: Cache, address: string, onProgress: (share: number) => void): Promise<number> {
  // Without this the browser may delete the file when it needs the room.
  await navigator.storage.persist?.()
  const response = await fetch(address)
  if (!response.ok || !response.body) throw new Error(`The server answered ${response.status} for ${address}`)
  const total = Number(response.headers.get('content-length') ?? 0)
  let bytes = 0
  let reported = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (total > 0 && bytes - reported > REPORT_BYTES) {
          reported = bytes
          onProgress(bytes / total)
        }
        controller.enqueue(chunk)
      },
    }),
  )
  const type = response.headers.get('content-type') ?? 'audio/mpeg'
  await cache.put(address, new Response(counted, { headers: { 'Content-Type': type } }))
  return bytes
}
