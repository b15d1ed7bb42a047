import { digestFeed, type DigestRequest, type DigestResult } from './digest'
import { readTranscript, type TranscriptRequest } from './transcripts'
import type { Segment } from '../store/documents'

declare const self: Worker

/** What the worker does, by name: request in, result out. */
export type ReaderTasks = {
  digest: { request: DigestRequest; result: DigestResult }
  transcript: { request: TranscriptRequest; result: Segment[] }
}
export type ReaderMessage = {
  [T in keyof ReaderTasks]: { task: T; request: ReaderTasks[T]['request'] }
}[keyof ReaderTasks]

const perform = (message: ReaderMessage) =>
  message.task === 'digest' ? digestFeed(message.request) : readTranscript(message.request)

self.onmessage = ({ data }: MessageEvent<ReaderMessage>) => {
  try {
    self.postMessage({ result: perform(data) })
  } catch (error) {
    self.postMessage({ bug: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}
