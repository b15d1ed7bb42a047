declare module 'web-push' {
  type Details = { headers: Record<string, string | number>; body: Buffer<ArrayBuffer> }
  export function generateRequestDetails(
    subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
    payload: string,
    options: {
      vapidDetails: { subject: string; publicKey: string; privateKey: string }
      TTL: number
      urgency: 'normal' | 'high'
      topic: string
    },
  ): Details
}
