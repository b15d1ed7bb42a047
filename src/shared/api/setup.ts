import { type Static, Type } from '@sinclair/typebox'
import { Nullable, oneOf } from './parts'

const Line = Type.String({ maxLength: 1000 })

/** The answers to the setup; an empty text leaves a setting as it is. `given`: the environment says how people sign in. */
export const SetupChoices = Type.Object({
  way: oneOf(['password', 'oidc', 'proxy', 'open', 'given']),
  /** The first admin: signs in by password, or by the name that the proxy sends. */
  username: Line,
  password: Line,
  authority: Line,
  clientId: Line,
  /** Secret of a confidential client; empty for a public one. */
  clientSecret: Line,
  /** Scopes to request, separated by spaces. */
  scope: Line,
  /** `claim:value`, which makes somebody an admin. */
  adminClaim: Line,
  /** The header with the name of who signed in at the proxy. */
  header: Line,
  /** The public address. */
  address: Line,
  /** The path that a proxy passes on unchanged. */
  prefix: Line,
  /** Networks whose forwarding headers count, in addition to this machine. */
  trustedProxy: Line,
  mediaFolder: Line,
  /** The S3 service of a bucket for new media; empty = they are stored in the folder. */
  bucketAddress: Line,
  bucketName: Line,
  bucketRegion: Line,
  bucketKey: Line,
  bucketSecret: Line,
  bucketPrefix: Line,
  host: Line,
  port: Line,
})
export type SetupChoices = Static<typeof SetupChoices>

/** The server before its setup, and how the request reached it. */
export const SetupView = Type.Object({
  /** The server's address as it believes, with a slash at the end; then the same if the peer were a trusted proxy. */
  serverUrl: Type.String(),
  trustedUrl: Type.String(),
  /** The path prefix by which the request arrived. */
  prefix: Type.String(),
  /** The address of a proxy that is not trusted yet; null = none. */
  untrustedProxy: Nullable(Type.String()),
  /** The name of the first admin, where the environment sets it and nobody can choose another. */
  username: Nullable(Type.String()),
  /** Folder that media are stored in unless somebody chooses another. */
  mediaFolder: Type.String(),
  /** Variables of the environment, which the setup cannot change. */
  given: Type.Array(Type.String()),
})
export type SetupView = Static<typeof SetupView>
