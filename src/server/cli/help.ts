import { variables } from '../config'
import { version } from '../version'

export const helpText = () => `Castellan ${version}: a self-hosted podcast manager and player

Usage: castellan [--config FILE]

  --config FILE   read variables from a file of NAME=value lines; the environment comes first
  --version       print the version
  --help          print this help

Variables:
${variables.map(({ name, default: value, meaning }) => `  ${name.padEnd(24)}${meaning}${value ? ` (${value})` : ''}`).join('\n')}

Without any of them Castellan runs in open mode: everyone who can reach it is its administrator. It therefore listens
on 127.0.0.1 alone, unless HOST says otherwise.
`
