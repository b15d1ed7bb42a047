import { READER } from './start-reader'

// The executable begins here: as the server and its commands, or as a process that reads one file for it.
if (process.argv[2] === READER) await import('./reader')
else await import('./main')
