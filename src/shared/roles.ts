export const roles = ['admin', 'user', 'uploader'] as const
export type Role = (typeof roles)[number]
