/** The column types that differ between databases. */
export interface ColumnTypes {
  /** A whole number of up to 53 bits. */
  readonly integer: string
  /** Milliseconds or tokens, possibly with a fraction. */
  readonly real: string
  /** A text that is compared by bytes. */
  readonly text: string
  /** A whole number that the database assigns. */
  readonly counter: string
}

/**
 * The schema's statements. Ids of messages, summaries and frontiers contain their session's number (`idOf`). `checksum`
 * covers the columns that `withChecksum` lists.
 */
export function schemaOf({ integer, real, text, counter }: ColumnTypes): string {
  const id = `id ${integer} PRIMARY KEY, principal ${text} NOT NULL`
  const sum = `checksum ${text} NOT NULL`
  return `
    CREATE TABLE session (
      no ${counter} PRIMARY KEY, principal ${text} NOT NULL, key ${text} NOT NULL, created_at ${real} NOT NULL,
      next_seq ${integer} NOT NULL, next_summary ${integer} NOT NULL, version ${integer} NOT NULL, edits ${integer} NOT NULL, ${sum},
      last_at ${real} NOT NULL,
      UNIQUE (principal, key)
    );
    CREATE TABLE message (
      ${id}, role ${text} NOT NULL, at ${real} NOT NULL, tokens ${real} NOT NULL, body ${text} NOT NULL,
      replaced ${integer}, forgotten ${text}, ${sum}
    );
    CREATE INDEX message_place ON message (id, replaced, role);
    CREATE INDEX message_replaced ON message (id) WHERE replaced IS NOT NULL;
    CREATE TABLE summary (
      ${id}, first ${integer} NOT NULL, last ${integer} NOT NULL, at ${real} NOT NULL, body ${text} NOT NULL,
      forgotten ${text}, ${sum}
    );
    CREATE TABLE frontier (
      ${id}, reason ${text} NOT NULL, next_seq ${integer} NOT NULL, at ${real} NOT NULL, summaries ${text} NOT NULL, ${sum}
    );
    CREATE TABLE event (
      seq ${counter} PRIMARY KEY, principal ${text} NOT NULL, scope ${text} NOT NULL, id ${text} NOT NULL,
      body ${text} NOT NULL, ${sum}, UNIQUE (principal, id)
    );
    CREATE INDEX event_scope ON event (principal, scope, seq);
    CREATE TABLE job (
      no ${counter} PRIMARY KEY, principal ${text} NOT NULL, session ${integer} NOT NULL, id ${text} NOT NULL,
      kind ${text} NOT NULL, body ${text} NOT NULL, ${sum},
      attempts ${integer} NOT NULL, done ${integer} NOT NULL, holder ${text}, until ${real} NOT NULL,
      UNIQUE (session, id)
    );
    CREATE TABLE state (
      session ${integer} NOT NULL, principal ${text} NOT NULL, name ${text} NOT NULL, body ${text} NOT NULL, ${sum},
      PRIMARY KEY (session, name)
    );
  `
}
