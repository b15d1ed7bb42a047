import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const inter = '/usr/share/fonts/opentype/inter'

/** Has browsers started from here write with Inter where a system has a good font of its own, if it is installed. */
export function useGoodFont(folder: string) {
  if (!existsSync(inter)) return
  const aliases = ['system-ui', 'ui-sans-serif', 'sans-serif'].map(
    family => `<alias binding="strong"><family>${family}</family><prefer><family>Inter</family></prefer></alias>`,
  )
  const file = join(folder, 'fonts.conf')
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include>${aliases.join('')}</fontconfig>`,
  )
  process.env['FONTCONFIG_FILE'] = file
}
