export type OnProgress = (done: number, total: number) => void

export async function withProgress<T>(
  label: string,
  run: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return run(() => {})
  let shown = ''
  const show = (text: string) => {
    if (text !== shown) process.stderr.write(`\r${text.padEnd(shown.length)}`)
    shown = text
  }
  try {
    return await run((done, total) => show(`${label}: ${Math.floor((100 * done) / total)} %`))
  } finally {
    show('')
    process.stderr.write('\r')
  }
}
