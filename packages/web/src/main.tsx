import "./design/tokens.css";
import { render } from "solid-js/web";
import { App } from "./app.js";
import { connect } from "./replica/link.js";

const root = document.getElementById("app");
if (!root) throw new Error("The page has no place for the app");
render(() => <App />, root);
connect();
