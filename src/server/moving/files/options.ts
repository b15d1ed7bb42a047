/**
 * The way in which a file of another program is put into the media folder: `link` copies where a hard link cannot be
 * made.
 */
export const fileWays = ['link', 'copy', 'move'] as const
export type FileWay = (typeof fileWays)[number]

/** The beginning of a path in the source ('' = any), and the folder of this machine that stands for it. */
export type FolderPair = { from: string; to: string }

/** The files of a move, as they are kept with it. */
export type FileOptions = { folders: readonly FolderPair[]; way: FileWay }
