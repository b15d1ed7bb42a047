import type { Context } from '../../../context'
import { addingCalls } from './adding'
import { coverCalls } from './covers'
import { downloadingCalls } from './downloading'
import { itemCalls } from './item-calls'
import { libraryCalls } from './libraries'
import { localCalls } from './local'
import { fileCalls, trackCalls } from './media'
import { noCalls } from './nothing'
import { openIdCalls } from './open-id'
import { playCalls } from './play'
import { progressCalls } from './progress'
import { playlistCalls } from './playlists'
import type { AppCall, OpenCall } from './protocol'
import { recentCalls } from './recent'
import { searchCalls } from './search'
import { shelfCalls } from './shelves'
import { signInCalls, userCalls } from './sign-in'
import { statisticsCalls } from './statistics'
import { statusCalls } from './status'

/** Calls that strangers may make. */
export const createOpenCalls = (app: Context, builtInCover: string): readonly OpenCall[] => [
  ...statusCalls(app),
  ...signInCalls(app),
  ...openIdCalls(app),
  ...coverCalls(app, builtInCover),
  ...trackCalls(app),
]

/** Calls of an app that is signed in. A path with a name in a place comes before one with a variable there. */
export const createAppCalls = (app: Context): readonly AppCall[] => [
  ...userCalls(app),
  ...libraryCalls(app),
  ...shelfCalls(app),
  ...recentCalls(app),
  ...searchCalls(app),
  ...itemCalls(app),
  ...playlistCalls(app),
  ...addingCalls(app),
  ...downloadingCalls(app),
  ...playCalls(app),
  ...localCalls(app),
  ...progressCalls(app),
  ...fileCalls(app),
  ...statisticsCalls(app),
  ...noCalls(),
]
