import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { logIn, register, resetPassword } from "../api";
import { useModel, useTitle } from "../hooks";
import type { Link } from "../link";
import { A, navigate } from "../router";
import { Field, Form, NAME_HINT, PASSWORD_HINT } from "./form";
import { Footer, Header } from "./lost";

function Page({ title, children }: { title: string; children: ComponentChildren }) {
  useTitle(`${title} · Flagfall`);
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1} class="narrow">
        <section class="card account">
          <h1>{title}</h1>
          {children}
        </section>
      </main>
      <Footer />
    </>
  );
}

/** In as somebody else: the socket comes back, and the front page is next, or the table one sits at. */
function enter(link: Link): void {
  link.again();
  navigate("/");
}

export function LoginPage({ link }: { link: Link }) {
  return (
    <Page title="Log in">
      <Form action="Log in" send={async (field) => { await logIn(field("name"), field("password")); enter(link); }}>
        <Field label="Name" name="name" type="text" complete="username" />
        <Field label="Password" name="password" complete="current-password" />
      </Form>
      <p class="after">No account yet? <A href="/register">Register</A></p>
      <p class="quiet">Forgotten your password? An administrator of this server can give you a link to choose another one.</p>
    </Page>
  );
}

export function RegisterPage({ link }: { link: Link }) {
  useModel(link);
  useEffect(() => link.start(), [link]);
  return (
    <Page title="Register">
      {link.guest && link.you && <p>You are {link.you.name} now. Your games, and the one you may be playing, stay yours.</p>}
      <Form action="Register" send={async (field) => { await register(field("name"), field("password")); enter(link); }}>
        <Field label="Name" name="name" type="text" complete="username" hint={NAME_HINT} />
        <Field label="Password" name="password" complete="new-password" hint={PASSWORD_HINT} />
      </Form>
      <p class="after">You have an account? <A href="/login">Log in</A></p>
    </Page>
  );
}

/** The page of a one-time link: its code stands behind the #, so that no server on the way sees it. */
export function ResetPage() {
  const [code] = useState(() => location.hash.slice(1));
  const [done, setDone] = useState(false);
  if (done) return <Page title="Your new password is set"><p>You are logged out everywhere.</p><A href="/login" class="button primary wide">Log in</A></Page>;
  return (
    <Page title="Choose a new password">
      <Form action="Set the password" send={async (field) => { await resetPassword(code, field("password")); setDone(true); }}>
        <Field label="New password" name="password" complete="new-password" hint={PASSWORD_HINT} />
      </Form>
    </Page>
  );
}
