const RUN = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{24,}={0,2}/g
const PRINTABLE = /^[\t\n\r -~]*$/
/** Characters that are decoded first: most of what looks like base64 is none, or not over text. */
const SAMPLE = 32

/** Hides base64 over a text in which secrets would be hidden. Linear. */
export function redactWrapped(text: string, mark: string, redact: (text: string) => string): string {
  return text.replace(RUN, (run) => {
    if (!PRINTABLE.test(decode(run.slice(0, SAMPLE)) ?? '\0')) return run
    const decoded = decode(run)
    return decoded !== undefined && PRINTABLE.test(decoded) && redact(decoded) !== decoded ? mark : run
  })
}

/** Undefined where it is no base64. */
function decode(run: string): string | undefined {
  const digits = run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  try {
    return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
  } catch {
    return undefined
  }
}
