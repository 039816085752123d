import pc from 'picocolors'

export const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported)
