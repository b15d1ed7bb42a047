import { buildRelease } from './build'
import { parseOptions } from './options'
import { verifyRelease } from './verify'

// Why: docs/internals/decisions/0040

try {
  const { targets, isVerified } = parseOptions(process.argv.slice(2))
  await buildRelease(targets)
  if (isVerified && !verifyRelease(targets)) process.exit(1)
} catch (error) {
  console.error(`release: ${(error as Error).message}`)
  process.exit(1)
}
