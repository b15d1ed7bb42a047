// Why: docs/internals/decisions/0059

/** The code of an error of the system or of SQLite; '' = it has none. */
export const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

/** Whether the system or SQLite refused a write because the disk or a quota is used up. */
export const isFullDisk = (error: unknown): boolean => ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(codeOf(error))
