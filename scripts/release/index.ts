import { buildRelease } from './build'
import { parseOptions } from './options'
import { findSigningKey } from './signature'
import { verifyRelease } from './verify'

// Why: docs/internals/decisions/0040

try {
  const { targets, isVerified, isUnsigned } = parseOptions(process.argv.slice(2))
  await buildRelease(targets, findSigningKey(process.env.SIGNING_KEY, isUnsigned))
  if (isVerified && !verifyRelease(targets, isUnsigned)) process.exit(1)
} catch (error) {
  console.error(`release: ${(error as Error).message}`)
  process.exit(1)
}
