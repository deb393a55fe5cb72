//! Commands to platforms, and their effects on bodies.

use super::World;
use super::apply::detach_from_lost_floors;
use super::character::Mode;
use super::platforms::{Baked, PlatformState, Pressed};
use super::step::{find_contacts, passes_through_everything};
use crate::command::{CommandError, MAX_PLATFORMS};
use crate::event::BodyId;
use crate::motion::Owner;
use crate::platform::{Path, Platform, PlatformError, PlatformId};
use crate::world::BodyState;
use glam::I64Vec2;
use std::sync::Arc;
use surefoot_geometry::to_lengths;

impl World {
    pub(super) fn add_platform(&mut self, platform: &Platform) -> Result<(), CommandError> {
        if self.platforms.slots.len() >= MAX_PLATFORMS {
            return Err(CommandError::TooManyPlatforms);
        }
        platform.check(self.settings.tick)?;
        if !platform.name.is_empty() && self.find_platform(&platform.name).is_some() {
            return Err(PlatformError::Duplicate { name: platform.name.clone() }.into());
        }
        let attached_to = &platform.attached_to;
        let attached = if attached_to.is_empty() {
            None
        } else {
            let found = self.find_platform(attached_to);
            Some(found.ok_or_else(|| PlatformError::NoSuchPlatform { name: attached_to.clone() })?)
        };
        let baked = Baked::new(Platform::clone(platform), None, &self.map, self.settings.tick)?;
        let platform = self.platforms.change_and_update_grid(|platforms| {
            let platform = platforms.insert(Arc::new(baked));
            if let Some(attached) = attached {
                platforms.attach(platform, attached);
            }
            platform
        });
        self.ignore_overlapped_platforms(None, Some(platform));
        Ok(())
    }

    pub(super) fn remove_platform(&mut self, platform: PlatformId) -> Result<(), CommandError> {
        self.platforms.remove(platform).ok_or(CommandError::NoSuchPlatform(platform))?;
        self.detach_from_platform(platform);
        self.areas.remove_areas_of_platform(platform);
        Ok(())
    }

    /// Sets where the game drives a platform in the next tick.
    pub(super) fn set_platform_goal(&mut self, platform: PlatformId, to: I64Vec2) -> Result<(), CommandError> {
        let state = self.platform_mut(platform)?;
        let longest = to_lengths(to - state.now.origin).abs().max_element();
        if longest > Path::MAX_STEP_TILES {
            return Err(CommandError::TooFar(longest));
        }
        self.platforms.set_target(platform, to);
        Ok(())
    }

    /// Teleports a platform.
    pub(super) fn move_platform_to(&mut self, platform: PlatformId, to: I64Vec2) -> Result<(), CommandError> {
        self.platform_mut(platform)?;
        if let Some(attached) = self.platforms.find_first_out_of_range(platform, to) {
            return Err(CommandError::AttachedOutOfRange(attached));
        }
        self.platforms.teleport(platform, to);
        self.detach_from_teleported_platforms();
        Ok(())
    }

    pub(super) fn platform_mut(&mut self, platform: PlatformId) -> Result<&mut PlatformState, CommandError> {
        self.platforms.get_mut(platform).ok_or(CommandError::NoSuchPlatform(platform))
    }

    /// Makes bodies pass through platforms that they overlap, until they are apart: one body or all, one platform or
    /// all.
    pub(super) fn ignore_overlapped_platforms(&mut self, body: Option<BodyId>, platform: Option<PlatformId>) {
        let World { terrain, platforms, settings, bodies, scratch, .. } = self;
        if platforms.is_empty() {
            return;
        }
        let mut found = std::mem::take(&mut scratch.overlapping);
        let scene = platforms.scene(terrain, settings);
        // For one body, do not visit all others.
        let one = body.and_then(|id| Some((id, bodies.get(id)?)));
        let all = body.is_none().then(|| bodies.iter()).into_iter().flatten();
        for (id, state) in one.into_iter().chain(all).filter(|(_, state)| !passes_through_everything(state)) {
            let is_asked = |id: PlatformId| platform.is_none_or(|platform| platform == id);
            let all = platforms.iter().filter(|(id, state)| is_asked(*id) && state.is_present());
            let scene = scene.of_kind(&state.kind);
            for (platform, owner) in all.filter_map(|(id, _)| Some((id, platforms.owner(id)?))) {
                if scene.is_overlapped_by(owner, state.kind.shape, state.now.position) {
                    found.push((id, platform));
                }
            }
        }
        for (body, platform) in found.drain(..) {
            platforms.insert_or_update_pair(body, platform, Pressed::Ignored { apart: 0 });
        }
        scratch.overlapping = found;
    }

    /// Detaches bodies from platforms that were teleported. Bodies that these platforms now overlap pass through them.
    pub(super) fn detach_from_teleported_platforms(&mut self) {
        for slot in 0..self.platforms.slots.versions().len() {
            let Some(platform) = self.platforms.teleported_platform(slot) else { continue };
            self.detach_from_platform(platform);
            self.ignore_overlapped_platforms(None, Some(platform));
        }
    }

    /// Detaches bodies from a platform that is gone or was teleported. They keep the velocity that the platform gave
    /// them.
    pub(super) fn detach_from_platform(&mut self, platform: PlatformId) {
        self.wake_bodies_on_platform(platform);
        let World { terrain, platforms, settings, bodies, scratch, tick, .. } = self;
        let scene = platforms.scene(terrain, settings);
        let Some(slot) = platforms.slot_of(platform) else { return };
        for state in bodies.values_mut() {
            let holds_on = state.held_platform() == Some(platform);
            if holds_on {
                state.release_ride_hold();
                state.end_jump_rise_or_ability();
                state.change(|now| now.enter_mode(Mode::Air));
            }
            if holds_on || state.touched().iter().any(|surface| surface.owner == Owner::Platform(slot)) {
                let scene = scene.of_kind(&state.kind);
                find_contacts(&scene, state, scratch);
                detach_from_lost_floors(&scene, *tick, state);
            }
        }
    }

    /// Wakes sleeping bodies that touch a platform.
    fn wake_bodies_on_platform(&mut self, platform: PlatformId) {
        let Some(slot) = self.platforms.slot_of(platform).filter(|_| self.bodies.features_in_use().collide) else {
            return;
        };
        let touches = |state: &BodyState| state.touched().iter().any(|surface| surface.owner == Owner::Platform(slot));
        let found: Vec<BodyId> = self.bodies.iter().filter(|(_, state)| touches(state)).map(|(body, _)| body).collect();
        found.into_iter().for_each(|body| self.wake_with_bodies_on_top(body));
    }
}
