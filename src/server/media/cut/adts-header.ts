/** Settings of an AAC decoder, as the header of an ADTS frame holds them. */
export type SoundConfig = { profile: number; rateIndex: number; channels: number }

/** Bytes of the header of a frame of ADTS without a check sum, https://wiki.multimedia.cx/index.php/ADTS */
export const ADTS_HEADER = 7
/** Most bytes of a sample, whose frame states its length in 13 bits. */
export const MAX_SAMPLE = 2 ** 13 - 1 - ADTS_HEADER

/** Writes the header of a frame of ADTS. */
export function writeAdtsHeader({ profile, rateIndex, channels }: SoundConfig, length: number): Buffer {
  const whole = length + ADTS_HEADER
  return Buffer.from([
    0xff,
    0xf1,
    (profile << 6) | (rateIndex << 2) | (channels >> 2),
    ((channels & 3) << 6) | (whole >> 11),
    (whole >> 3) & 0xff,
    ((whole & 7) << 5) | 0x1f,
    0xfc,
  ])
}
