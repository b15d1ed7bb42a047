import { readText, report, type Reader } from './reader'

/** A server that writes down what is spoken, by the API of OpenAI. */
export type TranscriptionSettings = Readonly<{
  /** The address that takes files. */
  address: string
  model: string
  /** Null = the server wants none. */
  key: string | null
}>

/** Reads the server that transcribes; null = none. The other variables mean nothing without its address. */
export function readTranscription(reader: Reader): TranscriptionSettings | null {
  const address = readServer(reader)
  const model = readText(reader, 'TRANSCRIPTION_MODEL', 'whisper-1')
  const key = readText(reader, 'TRANSCRIPTION_KEY') || null
  if (model.length > 200) report(reader, 'TRANSCRIPTION_MODEL', `${model.slice(0, 40)}…`, 'at most 200 characters')
  // It is sent in a header unchanged. The value is not repeated.
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) reader.mistakes.push('TRANSCRIPTION_KEY is not plain ASCII')
  if (address !== null) return { address, model, key }
  for (const name of ['TRANSCRIPTION_MODEL', 'TRANSCRIPTION_KEY'])
    if (readText(reader, name) !== '' && readText(reader, 'TRANSCRIPTION_URL') === '')
      reader.mistakes.push(`${name} needs TRANSCRIPTION_URL, the address of the server`)
  return null
}

function readServer(reader: Reader): string | null {
  const text = readText(reader, 'TRANSCRIPTION_URL')
  if (text === '') return null
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (url && url.username === '' && url.password === '' && url.hash === '') return withPath(url)
  // The value is not repeated: it may hold a password.
  reader.mistakes.push('TRANSCRIPTION_URL is not an address without a password, such as http://whisper.example:8000')
  return null
}

/** Adds what is missing of the path that takes files; another path is what the administrator wants. */
function withPath(url: URL): string {
  const path = url.pathname.replace(/\/$/, '')
  if (path === '') url.pathname = '/v1/audio/transcriptions'
  else if (/\/v\d+$/.test(path)) url.pathname = `${path}/audio/transcriptions`
  else url.pathname = path
  return url.href
}
