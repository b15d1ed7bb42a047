import { version } from '../../platform/version'
import { instant } from './json'
import type { Leaving } from './leaving'

/** Writes what an archive holds, for a person who opens it years later. */
export async function* readMe({ user, now, files, withPasswords, podcasts }: Leaving): AsyncGenerator<string> {
  yield `Everything of ${user.username}, exported by Castellan ${version} on ${instant(now)?.slice(0, 10)}: ${podcasts.length} podcasts.

everything.portcast.json  All of it for programs: subscriptions, positions, queue, bookmarks, preferences, and below
                          "extensions" tags, likes, playlists, listening by the hour, marked parts and rules of podcasts. The format
                          is PortCast 0.2.0. Castellan reads it again: castellan import THIS-ARCHIVE
subscriptions.opml        The favourite podcasts, for every podcast program.
queue.m3u8, playlists/    The lists, for every player.
bookmarks.md              The bookmarks, for people.
history.csv, hours.csv    What was played and when, for spreadsheets.
files.csv                 Which file belongs to which episode.
${files === null ? 'The audio and video files are not in this archive.' : 'files/                    The audio and video files.'}
${
  withPasswords
    ? 'The passwords of private feeds are in this archive, in clear. Keep it safe.'
    : 'The passwords of private feeds are not in this archive. Addresses of private feeds are: some of them are secrets.'
}
Not exported: the password and keys of the account, settings of podcast apps, notifications, covers, transcripts.
`
}
