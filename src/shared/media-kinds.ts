/** Whether a file of this type is an MP4, with or without pictures. */
export const isMp4 = (type: string) => /mp4|m4[abv]|quicktime|3gp/.test(type)

/** Whether clips can be cut from a file of this type. */
export const canCut = (type: string | null): boolean =>
  type !== null && (type === 'audio/mpeg' || type === 'audio/aac' || isMp4(type))
