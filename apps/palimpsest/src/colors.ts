import pc from 'picocolors'

/** Only for a terminal, whatever a CI service claims to support. */
export const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported)
