import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import solid from "vite-plugin-solid";

export default defineConfig({
  root: fileURLToPath(new URL("src", import.meta.url)),
  base: "/",
  plugins: [solid()],
  resolve: { conditions: ["@lockstep/source", "module", "browser", "import", "default"] },
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    target: "es2022",
    // No inline script or style: the page is served with a strict Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
});
