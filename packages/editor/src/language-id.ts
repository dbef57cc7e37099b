/** The language of a file by its name, in the ids that editors and language servers share. */
export function languageId(fileName: string): string {
  const name = fileName.toLowerCase();
  const extension = name.slice(name.lastIndexOf(".") + 1);
  return BY_NAME.get(name) ?? BY_EXTENSION.get(extension) ?? "plaintext";
}

/** A row is a language id and the names or extensions that stand for it. */
const table = (rows: string): ReadonlyMap<string, string> =>
  new Map(
    rows
      .trim()
      .split("\n")
      .flatMap((row) => {
        const [id = "", ...names] = row.trim().split(/\s+/);
        return names.map((name) => [name, id] as const);
      }),
  );

const BY_NAME = table(`
  dockerfile dockerfile containerfile
  makefile makefile gnumakefile
  cmake cmakelists.txt
  ignore .gitignore .dockerignore .npmignore
  jsonc tsconfig.json jsconfig.json
  shellscript .bashrc .profile .zshrc
`);

const BY_EXTENSION = table(`
  bat bat cmd
  c c
  clojure clj cljs edn
  cpp cc cpp cxx h hh hpp hxx
  csharp cs
  css css
  dart dart
  diff diff patch
  elixir ex exs
  erlang erl
  fsharp fs fsi fsx
  go go
  graphql gql graphql
  haskell hs
  html htm html
  ini cfg conf ini
  java java
  javascript cjs js mjs
  javascriptreact jsx
  json json
  jsonc jsonc
  julia jl
  jupyter ipynb
  kotlin kt kts
  latex sty tex
  less less
  lua lua
  markdown markdown md
  objective-c m
  ocaml ml mli
  perl pl pm
  php php
  powershell ps1
  proto proto
  python py pyi
  r r
  restructuredtext rst
  ruby rb
  rust rs
  scala scala
  scss scss
  shellscript bash sh zsh
  sql sql
  svelte svelte
  swift swift
  toml toml
  typescript cts mts ts
  typescriptreact tsx
  vue vue
  xml svg xml
  yaml yaml yml
  zig zig
`);
