import { element } from './xml'

/** An answer of S3 that is an error; `details` become further elements of its body. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string = code,
    readonly details: Record<string, string> = {},
  ) {
    super(message)
  }

  get body(): string {
    const { code: Code, message: Message, details } = this
    return element('Error', { Code, Message, ...details, RequestId: 'test', HostId: 'test' })
  }
}

export const noSuchKey = (key: string) =>
  new Refusal(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key })
export const preconditionFailed = (condition: string) =>
  new Refusal(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    Condition: condition,
  })
export const notImplemented = (what: string) => new Refusal(501, 'NotImplemented', `${what} is not implemented`)
export const invalidArgument = (message: string) => new Refusal(400, 'InvalidArgument', message)
