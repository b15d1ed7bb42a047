import { Problem } from '../platform/problem'

export const notSignedIn = () => new Problem('not-signed-in', 'Sign in first')
