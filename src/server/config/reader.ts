import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { secretVariables } from './variables'

export type Environment = Record<string, string | undefined>
export type Network = ReturnType<typeof ipaddr.parseCIDR>

/** The values of one environment, and a sentence for each mistake found in them so far. */
export type Reader = { values: Environment; mistakes: string[] }

/** Reads an environment, including secrets that are given as files. */
export function createReader(env: Environment): Reader {
  const mistakes: string[] = []
  const values = { ...env }
  for (const name of secretVariables) values[name] = readSecretFile(name, env, mistakes) ?? env[name]
  return { values, mistakes }
}

export const readText = ({ values }: Reader, name: string, fallback = '') => values[name]?.trim() || fallback

export function readFlag(reader: Reader, name: string, fallback = false): boolean {
  const value = readText(reader, name, String(fallback)).toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(value)) return true
  if (!['false', '0', 'no', 'off'].includes(value)) report(reader, name, value, 'true or false')
  return false
}

export function readInteger(reader: Reader, name: string, fallback: number, min: number, max: number): number {
  const text = readText(reader, name, String(fallback))
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  report(reader, name, text, `a whole number from ${min} to ${max}`)
  return fallback
}

/** Reads gigabytes, as bytes. */
export function readGigabytes(reader: Reader, name: string, fallback: number): number {
  const text = readText(reader, name, String(fallback))
  const value = Number(text)
  if (Number.isFinite(value * 1e9) && value >= 0) return Math.round(value * 1e9)
  report(reader, name, text, 'a number of gigabytes, such as 1 or 0.5')
  return 0
}

export function readChoice<T extends string>(reader: Reader, name: string, allowed: readonly T[], fallback: T): T {
  const value = readText(reader, name, fallback).toLowerCase() as T
  if (allowed.includes(value)) return value
  report(reader, name, value, `one of ${allowed.join(', ')}`)
  return fallback
}

export const readList = (reader: Reader, name: string, fallback = ''): string[] =>
  readText(reader, name, fallback)
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

export const readNetworks = (reader: Reader, name: string, fallback = ''): Network[] =>
  readList(reader, name, fallback).flatMap(part => {
    const network = parseNetwork(part)
    if (!network) report(reader, name, part, 'a network such as 192.168.1.0/24 or fd00::/8')
    return network ? [network] : []
  })

/** Reads an http or https address; null if there is none or it is not one. */
export function readAddress(reader: Reader, name: string, example: string): string | null {
  const text = readText(reader, name)
  if (text === '') return null
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text
  report(reader, name, text, `an address such as ${example}`)
  return null
}

/** Notes a mistake: the variable, its value, and what was expected instead. */
export function report({ mistakes }: Reader, name: string, value: string, expected: string) {
  mistakes.push(`${name} is "${value}", expected ${expected}`)
}

/** Reads the `NAME=value` lines of a file; accepts `export`, quotes around a value, and `#` lines. */
export function parseEnvironmentFile(text: string): Environment {
  const lines = text.split(/\r?\n/).map(line => /^(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(line.trim()))
  return Object.fromEntries(
    lines.flatMap(match => (match ? [[match[1]!, match[2]!.trim().replace(/^(["'])(.*)\1$/, '$2')]] : [])),
  )
}

function readSecretFile(name: string, env: Environment, mistakes: string[]): string | null {
  const path = env[`${name}_FILE`]?.trim()
  if (!path) return null
  if (env[name]) mistakes.push(`${name} and ${name}_FILE are both set: set one of them`)
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    mistakes.push(`${name}_FILE is ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return null
  }
}

/** Parses a network, or an address as a network of one; null if it is neither. */
export function parseNetwork(text: string): Network | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
