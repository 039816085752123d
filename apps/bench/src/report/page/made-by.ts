/** The command of a table, as it stands above it. Of several that were put together, the first. */
export const madeBy = (command: string): string => `\`${command.split(';')[0]}\`.`
