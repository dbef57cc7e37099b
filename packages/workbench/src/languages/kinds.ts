/** The protocol counts kinds from 1; these are its names for them, in its order. */

const COMPLETION_KINDS =
  "text method function constructor field variable class interface module property unit value enum keyword snippet color file reference folder enumMember constant struct event operator typeParameter".split(
    " ",
  );

const SYMBOL_KINDS =
  "file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enumMember struct event operator typeParameter".split(
    " ",
  );

export const completionKind = (kind: number | null | undefined): string =>
  COMPLETION_KINDS[(kind ?? 1) - 1] ?? "text";

export const symbolKind = (kind: number): string => SYMBOL_KINDS[kind - 1] ?? "variable";
