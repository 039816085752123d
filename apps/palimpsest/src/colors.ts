import pc from 'picocolors'

/** Colours for standard output: only where a person looks at it, whatever a CI service claims to support. */
export const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported)
