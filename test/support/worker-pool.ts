import type { Message } from '../../src/server/thread'

/**
 * Stands in for `Worker`: a thread whose application closed it in order goes to the next application. Loading its
 * modules takes longer than most tests do. A thread that was ended before its time is gone, as in the product.
 */
class PooledWorker {
  static readonly idle = new Map<string, Worker[]>()
  onmessage: ((event: MessageEvent) => void) | null = null
  onerror: ((event: ErrorEvent) => void) | null = null
  readonly #address: string
  readonly #worker: Worker
  #closing: number | undefined
  #isClosed = false

  constructor(address: string) {
    this.#address = address
    this.#worker = PooledWorker.idle.get(address)?.pop() ?? new RealWorker(address)
    this.#worker.onmessage = event => {
      this.#isClosed ||= this.#closing !== undefined && event.data?.id === this.#closing
      this.onmessage?.(event)
    }
    this.#worker.onerror = event => this.onerror?.(event)
  }

  postMessage(message: Message, moved: ArrayBuffer[] = []) {
    if ('close' in message) this.#closing = message.close
    this.#worker.postMessage(message, moved)
  }

  unref() {
    ;(this.#worker as unknown as { unref: () => void }).unref()
  }

  terminate() {
    this.#worker.onmessage = this.#worker.onerror = null
    if (!this.#isClosed) return this.#worker.terminate()
    const idle = PooledWorker.idle.get(this.#address) ?? []
    PooledWorker.idle.set(this.#address, [...idle, this.#worker])
  }
}

const RealWorker = globalThis.Worker

/** From here on, threads are used again. */
export function poolWorkers() {
  globalThis.Worker = PooledWorker as unknown as typeof Worker
}
