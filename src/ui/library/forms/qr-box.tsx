import { lazily } from '../../components/lazily'
import '../library.css'

const QrCode = lazily(() => import('./qr-code').then(module => module.QrCode))

/** The place of a QR code: as large before its code is loaded. */
export const QrBox = (props: { text: string; label: string }) => (
  <div className="qr-box rigid fits rounded clipped">
    <QrCode {...props} />
  </div>
)
