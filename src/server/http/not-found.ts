import { Problem } from '../problem'

export const notFoundProblem = () => new Problem('not-found', 'There is nothing at this address')
