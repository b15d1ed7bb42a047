import { correction, generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'

/** Readers need this many empty squares around the code (ISO/IEC 18004). */
const QUIET = 4

/** A text as a QR code, dark on light in every theme. `label` names it for those who cannot see it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text, { minCorrectionLevel: correction.M })
  const side = code.size + 2 * QUIET
  return (
    <svg className="qr-code block wide" role="img" aria-label={label} viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}>
      <path d={toSvgPath(code)} />
    </svg>
  )
}
